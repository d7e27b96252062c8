// Keys as people write them → as the driver names them.

export function keyNames(keys: string): string {
  return keys
    .split(/(?<=.)\s?\+\s?/)
    .map(key => KEYS[key.trim().toLowerCase()] ?? key.trim())
    .join('+')
}

// repair: keys by their everyday names
const KEYS: Readonly<Record<string, string>> = {
  ctrl: 'Control',
  control: 'Control',
  cmd: 'Meta',
  esc: 'Escape',
  return: 'Enter',
  enter: 'Enter',
  del: 'Delete',
  space: 'Space',
  up: 'ArrowUp',
  down: 'ArrowDown',
  left: 'ArrowLeft',
  right: 'ArrowRight',
  tab: 'Tab',
  shift: 'Shift',
  alt: 'Alt',
  option: 'Alt',
}
