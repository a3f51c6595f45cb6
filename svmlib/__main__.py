"""`python -m svmlib audit model.txt data.txt`: how good is a machine that LIBSVM has trained?"""
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace

from svmlib.auditing import audit, read_data, read_model


def class_weight(text: str) -> tuple[int, float]:
    """A label and what C is multiplied by: 1=2.5.

    >>> class_weight("-1=2.5")
    (-1, 2.5)
    """
    label, _, weight = text.partition("=")
    try:
        return int(label), float(weight)
    except ValueError:
        raise ArgumentTypeError(f"must be LABEL=WEIGHT, as 1=2.5, got {text!r}") from None


def arguments() -> ArgumentParser:
    """What the command takes: LIBSVM's own letters for what its model files do not hold."""
    parser = ArgumentParser("python -m svmlib", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("audit", help="duality gap, KKT violations, and how far decision values can be from the "
                                            "optimum's, of a model file", description=__doc__)
    one.add_argument("model", help="as svm-train writes it")
    one.add_argument("data", help="what it was trained with, in LIBSVM's format")
    one.add_argument("-c", dest="C", type=float, metavar="C", help="of C-SVC, epsilon-SVR and nu-SVR; else it is taken "
                                                                   "to be the largest coefficient")
    one.add_argument("-n", dest="nu", type=float, metavar="NU", help="of nu-SVC, nu-SVR and one-class")
    one.add_argument("-p", dest="epsilon", type=float, metavar="EPSILON", help="of epsilon-SVR")
    one.add_argument("-e", dest="tol", type=float, metavar="TOL", help="what svm-train was asked for, 0.001 by default")
    one.add_argument("-w", dest="class_weight", type=class_weight, action="append", metavar="LABEL=WEIGHT",
                     help="what C is multiplied by for a class")
    one.add_argument("--sharp", action="store_true", help="solve it again, to compare decision values with that")
    return parser


def main(given: list[str] | None = None) -> int:
    """Carry out a command; 0 where the model is what it promises, 1 where it is not, 2 where it cannot be read."""
    options: Namespace = arguments().parse_args(given)
    try:
        X, y = read_data(options.data, precomputed=read_model(options.model).kernel == "precomputed")
        found = audit(options.model, X, y, C=options.C, nu=options.nu, epsilon=options.epsilon, tol=options.tol,
                      class_weight=dict(options.class_weight) if options.class_weight else None, sharp=options.sharp)
    except (ValueError, OSError) as error:
        print(f"svmlib audit: {error}", file=sys.stderr)
        return 2
    print(found)
    return 1 if found.keeps_promise is False else 0


if __name__ == "__main__":
    sys.exit(main())
