"""What a method that fails has changed is taken back: parameters are set all or none, a fit succeeds or was not."""
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable)


def all_or_nothing(method: Method) -> Method:
    """A method that sets attributes: where it raises, its object and the kernels in it are as they were before."""
    @wraps(method)
    def called(self: Any, *args: Any, **options: Any) -> Any:
        """The method; what it has set is taken back after an error."""
        before = [(part, dict(vars(part))) for part in _with_parts(self)]
        try:
            return method(self, *args, **options)
        except BaseException:
            for part, values in before:
                vars(part).clear()
                vars(part).update(values)
            raise

    return called  # type: ignore[return-value]


def _with_parts(thing: Any) -> Iterator[Any]:
    """An object with parameters, and all such objects that it holds."""
    yield thing
    for value in vars(thing).values():
        if hasattr(value, "set_params") and not isinstance(value, type):
            yield from _with_parts(value)
