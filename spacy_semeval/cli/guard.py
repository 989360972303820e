"""What every command shares: bad input ends in a message, and an output is written whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from wasabi import Printer


@contextmanager
def messages_for_errors() -> Iterator[None]:
    """Turn bad input into a message on stderr and exit code 1."""
    from ..errors import SemevalError
    from ..report.console import is_terminal, visible, write

    try:
        yield
    except BrokenPipeError:
        raise  # whoever read the output has seen enough
    except (SemevalError, OSError, UnicodeError) as error:
        msg = Printer(no_print=True, pretty=is_terminal(sys.stderr))
        write(msg.fail(visible(str(error))), sys.stderr)
        raise typer.Exit(1) from None


@contextmanager
def blame(what: str) -> Iterator[None]:
    """Turn whatever somebody else's code raises into bad input.

    what (str): What did not work, to stand in front of the message.
    """
    from ..errors import SemevalError

    try:
        yield
    except SemevalError:
        raise
    except Exception as error:  # a broken file or a foreign pipeline may raise anything
        text = " ".join(str(error).split())
        raise SemevalError(f"{what}: {type(error).__name__}: {text}") from error


@contextmanager
def whole_file(path: Path | None, *inputs: Path) -> Iterator[Path | None]:
    """Give a file to write to that takes its place when all went well.

    path (Path | None): The output, or None for none.
    inputs (Path): Files, and folders with files, that must not be written over.
    YIELDS (Path | None): A new file beside it, or None.
    RAISES (SemevalError): If the output cannot be written; found out before the work begins.
    """
    from ..errors import SemevalError

    if path is None:
        yield None
        return
    if str(path).startswith(("/dev/std", "/dev/fd/", "/proc/")):
        raise SemevalError(f"Can't write {path}: name a file.")  # it may stand for one that is being written already
    if path.exists() and not path.is_file() and not path.is_dir():
        yield path  # a device or a pipe is written as it is
        return
    try:
        path = path.resolve()
    except (OSError, RuntimeError) as error:
        raise SemevalError(f"Can't write {path}: {error}.") from None
    if path.is_dir():
        raise SemevalError(f"Can't write {path}: it is a folder.")
    sources = [source.resolve() for source in inputs]
    if path in sources or (path.exists() and not set(path.parents).isdisjoint(sources)):
        raise SemevalError(f"Can't write {path}: it is an input, a part of one, or another output.")
    if path.exists() and not os.access(path, os.W_OK):
        raise SemevalError(f"Can't write {path}: it is read-only.")
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
    except OSError as error:
        raise SemevalError(f"Can't write {path}: {error.strerror or error}.") from None
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
        temporary.replace(path)
    except OSError as error:
        raise SemevalError(f"Can't write {path}: {error.strerror or error}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
