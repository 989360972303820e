"""What every command shares: bad input ends in a message, and an output is written whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import typer
from wasabi import Printer

TEMPORARY_NAME = 100  # characters of the name that are kept in that of the temporary file


@contextmanager
def messages_for_errors() -> Iterator[None]:
    """Turn bad input into a message on stderr and exit code 1, wrong settings into exit code 2."""
    from ..errors import SemevalError, SettingsError
    from ..report.console import is_terminal, visible, write

    try:
        yield
    except BrokenPipeError:
        raise  # whoever read the output has seen enough
    except (SemevalError, OSError, UnicodeError) as error:
        msg = Printer(no_print=True, pretty=is_terminal(sys.stderr))
        write(msg.fail(visible(str(error))), sys.stderr)
        raise typer.Exit(2 if isinstance(error, SettingsError) else 1) from None


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what goes wrong while a file is written into a message with its name."""
    from ..errors import SemevalError

    try:
        yield
    except (OSError, RuntimeError, UnicodeError) as error:  # a loop of links is a RuntimeError
        raise SemevalError(f"Can't write {path}: {getattr(error, 'strerror', None) or error}.") from None


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
    with writing(path):
        if path.exists() and not path.is_file() and not path.is_dir():
            special = path
        else:
            special, path = None, path.resolve()
    if special is not None:
        yield special  # a device or a pipe is written as it is
        return
    if path.is_dir():
        raise SemevalError(f"Can't write {path}: it is a folder.")
    sources = [source.resolve() for source in inputs]
    if path in sources or (path.exists() and not set(path.parents).isdisjoint(sources)):
        raise SemevalError(f"Can't write {path}: it is an input, a part of one, or another output.")
    if path.exists() and not os.access(path, os.W_OK):
        raise SemevalError(f"Can't write {path}: it is read-only.")
    with writing(path):
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:TEMPORARY_NAME]}.", dir=path.parent)
        os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        with writing(path):
            temporary.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def whole_files(folder: Path | None, names: Iterable[str], *inputs: Path) -> Iterator[dict[str, Path]]:
    """Give files in a folder to write to that take their places when all went well.

    folder (Path | None): The folder, made if it is not there, or None for none.
    names (Iterable[str]): The names of the files in it.
    inputs (Path): As in `whole_file`.
    YIELDS (dict[str, Path]): By name a new file beside each; none without a folder.
    RAISES (SemevalError): As `whole_file`.
    """
    from ..errors import SemevalError

    if folder is None:
        yield {}
        return
    if folder.resolve() in [source.resolve() for source in inputs] and not folder.is_dir():
        raise SemevalError(f"Can't write into {folder}: it is an input or another output, and no folder.")
    new = [path for path in (folder, *folder.parents) if not path.exists()]
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        with ExitStack() as stack:
            entered = {name: stack.enter_context(whole_file(folder / name, *inputs)) for name in names}
            yield {name: file for name, file in entered.items() if file is not None}
    except BaseException:
        for path in new:
            if not any(path.iterdir()):
                path.rmdir()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
