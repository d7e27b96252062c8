// A paragraph → lines of a width, each with an indent.

export function wrap(text: string, indent = '', width = 92): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].map(each => indent + each).join('\n')
}
