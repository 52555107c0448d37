"""Which values the optimum can have at all: data on a grid of time leave gaps between them."""

from __future__ import annotations

import math
from fractions import Fraction

from certify.diagnose.claim import Claim


def attainable(claim: Claim, bound: Fraction) -> Fraction:
    """The least value that T* can have, given T* >= bound; both in the input's units.

    Claim: T* is w_j times a multiple of g for some job j, g the greatest common divisor of the sizes and of the
    differences of the releases. For in an optimal schedule let each machine run its jobs by earliest deadline
    r_j + T*/w_j first: all deadlines are kept, and jobs change only at releases and completions, which are multiples of
    g after the first release. So is every flow time; and T* is w_j times one of them, as it is optimal.

    Source: certify/FORMAT.md, rule C5, with `round`; of load, where nothing is released later, C4.
    """
    release = claim.subject.release.tolist()
    step = math.gcd(*claim.instance.size.tolist(), *(time - release[0] for time in release))
    grids = (step * claim.unit * weight for weight in (claim.weights.values if claim.weights else (1,)))
    return min(grid * math.ceil(bound / grid) for grid in grids)
