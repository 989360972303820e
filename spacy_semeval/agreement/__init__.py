"""Agreement between annotators: on spans, on tokens and on labelled text."""

from .alpha_u_2004 import alpha_u_2004
from .coefficients import cohen_kappa, fleiss_kappa, krippendorff_alpha
from .from_python import agreement
from .unitized import unitized_alpha

__all__ = ["agreement", "alpha_u_2004", "cohen_kappa", "fleiss_kappa", "krippendorff_alpha", "unitized_alpha"]
