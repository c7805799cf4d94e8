"""Loops that are compiled when they are first needed, and what they are until then.

numba takes half a second to load and seconds to compile, and most tables are counted before that
has paid. So a module of loops loads without numba; a loop is compiled, or found in the cache of
compiled code, when it is first called. A loop may have a plain twin in numpy, which is called
while little has been counted in this process (see :data:`ENOUGH`). Twins give the same
answer, bit for bit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from discreet.errors import InternalError

ENOUGH = 1 << 24
"""Numbers that twins are given in one process before loops are compiled instead.

About half a second of their time, which is what loading numba costs: so nobody waits more than
twice as long as with the better choice, whatever the table and however many nodes are counted."""

Listener = Callable[[], None]
"""Called when the compiler starts."""


class _Compiler:
    """What this process has compiled and what its twins have done so far."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.given = 0
        self.listener: Listener | None = None
        self._open: list[float] = []
        self._numba: Any = None

    def load(self) -> Any:
        """Load numba, once."""
        if self._numba is None:
            import numba.core.event

            compiler = self

            class Clock(numba.core.event.Listener):  # type: ignore[misc]  # numba has no types
                def on_start(self, event: Any) -> None:
                    compiler.start()

                def on_end(self, event: Any) -> None:
                    compiler.end()

            numba.core.event.register("numba:compile", Clock())
            self._numba = numba
        return self._numba

    def start(self) -> None:
        """Something is compiled from here on."""
        if not self._open and self.listener is not None:
            self.listener()
        self._open.append(time.process_time())

    def end(self) -> None:
        """What was started last is compiled; what is compiled within is counted once."""
        started = self._open.pop()
        if not self._open:
            self.seconds += time.process_time() - started

    def take(self, arguments: tuple[Any, ...], weight: int) -> bool:
        """Whether a twin may still be given these numbers, each of which it reads so often."""
        if self.given > ENOUGH:
            return False
        self.given += weight * _count_numbers(arguments)
        return self.given <= ENOUGH


def _count_numbers(arguments: tuple[Any, ...]) -> int:
    """How many numbers there are in arrays, and in tuples of arrays."""
    return sum(
        _count_numbers(one) if isinstance(one, tuple) else int(getattr(one, "size", 0))
        for one in arguments
    )


_COMPILER = _Compiler()


def take_plain(*arguments: Any) -> bool:
    """Whether to give these numbers to a twin, for who chooses between several loops."""
    return _COMPILER.take(arguments, 1)


def read_compile_seconds() -> float:
    """Seconds of computing that this process has compiled for."""
    return _COMPILER.seconds


def listen_to_compiler(listener: Listener | None) -> None:
    """Have a function called whenever the compiler starts; None: nobody is."""
    _COMPILER.listener = listener


class Loop:
    """A loop over numbers, compiled when it is first called or when another loop calls it."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: tuple[str, ...],
        plain: Callable[..., Any] | None,
        weight: int,
        inner: bool,
        options: dict[str, Any],
    ) -> None:
        self.plain = plain
        self._weight = weight
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__wrapped__ = function
        self._signature = signature
        self._inner = inner
        self._options = options
        if inner:  # what only Python would need is not compiled
            self._options = {**options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self._compiled: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if self._inner:
            raise InternalError(f"the inner loop {self.__name__} was called from Python")
        if self.plain is not None and _COMPILER.take(arguments, self._weight):
            return self.plain(*arguments)
        return self.compiled(*arguments)

    @property
    def compiled(self) -> Any:
        """The compiled loop, kept for the next run where there is a place for it.

        That is next to the module, or in the user's cache where nobody may write there. Someone
        without either compiles in every run.
        """
        if self._compiled is None:
            njit = _COMPILER.load().njit
            try:
                self._compiled = njit(*self._signature, cache=True, **self._options)(
                    self.__wrapped__
                )
            except RuntimeError:
                self._compiled = njit(*self._signature, **self._options)(self.__wrapped__)
        return self._compiled

    @property
    def _numba_type_(self) -> Any:
        """What a loop that calls this one sees: the compiled one."""
        return _COMPILER.load().typeof(self.compiled)


def compile_loop(
    *signature: str,
    plain: Callable[..., Any] | None = None,
    weight: int = 1,
    inner: bool = False,
    **options: Any,
) -> Callable[[Callable[..., Any]], Loop]:
    """Have a function compiled when it is needed, with a signature or for what it is given.

    ``plain`` is its twin, and ``weight`` how often that reads each number. An ``inner`` loop is
    called by other loops only.
    """
    return lambda function: Loop(function, signature, plain, weight, inner, options)
