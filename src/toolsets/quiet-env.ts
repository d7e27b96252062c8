// Variables for the commands of a model: programs that would wait for a person, or paint, do neither.

export const QUIET_ENV = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  // an editor that leaves the text as it is: git goes on, or says which option it wants
  GIT_EDITOR: 'true',
  DEBIAN_FRONTEND: 'noninteractive',
  PYTHONUNBUFFERED: '1',
}
