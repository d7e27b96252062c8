// What programs leave in a workspace by themselves: no work of anybody, so that no search looks there and no patch holds it.

/** Names of folders, wherever they lie. */
export const LEFT_BEHIND = ['.saydo', 'node_modules', '.venv', '__pycache__', '.mypy_cache', '.pytest_cache'] as const
