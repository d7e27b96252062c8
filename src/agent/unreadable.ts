// An unreadable reply → as much of it as the model sees again: its beginning, so that a long mistake is not there to be copied.

/** In code points. */
const MOST = 300

export function clipUnreadable(text: string): string {
  const characters = [...text]
  return characters.length <= MOST ? text : `${characters.slice(0, MOST).join('')} …`
}
