// Rows of cells → aligned lines for a terminal. The first row is the heading; the first columns are text, all others figures.

/** @param texts how many columns are text */
export function table(title, rows, texts = 1) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map(row => String(row[column] ?? '').length)))
  const cell = (value, i) => (i < texts ? String(value).padEnd(widths[i]) : String(value ?? '').padStart(widths[i]))
  const line = row => row.map(cell).join('  ').trimEnd()
  return [`\n${title}`, line(rows[0]), widths.map(width => '─'.repeat(width)).join('──'), ...rows.slice(1).map(line)].join('\n')
}
