// Two lists → their elements side by side, by the longest row of elements that both have.

/** Places in the one and the other list; unset where only one of them has it. */
export type Pair = readonly [one: number | undefined, other: number | undefined]

/** More pairs than this are not compared: all that stands between is told as different. */
const MOST_PAIRS = 4_000_000

export function align<Item>(
  one: readonly Item[],
  other: readonly Item[],
  isSame: (a: Item | undefined, b: Item | undefined) => boolean,
): readonly Pair[] {
  let head = 0
  while (head < one.length && head < other.length && isSame(one[head], other[head])) head++
  let tail = 0
  while (tail < one.length - head && tail < other.length - head && isSame(one.at(-1 - tail), other.at(-1 - tail))) tail++
  const [rows, columns] = [one.length - head - tail, other.length - head - tail]
  const between = compare(rows, columns, (row, column) => isSame(one[head + row], other[head + column]))
  return [
    ...Array.from({ length: head }, (_, at): Pair => [at, at]),
    ...between.map(([a, b]): Pair => [a === undefined ? a : a + head, b === undefined ? b : b + head]),
    ...Array.from({ length: tail }, (_, at): Pair => [head + rows + at, head + columns + at]),
  ]
}

function compare(rows: number, columns: number, isSame: (row: number, column: number) => boolean): readonly Pair[] {
  const onlyOne = (from: number): Pair[] => Array.from({ length: rows - from }, (_, at): Pair => [from + at, undefined])
  const onlyOther = (from: number): Pair[] => Array.from({ length: columns - from }, (_, at): Pair => [undefined, from + at])
  if (rows === 0 || columns === 0 || rows * columns > MOST_PAIRS) return [...onlyOne(0), ...onlyOther(0)]
  const width = columns + 1
  // how many elements are common from here on
  const common = new Uint16Array((rows + 1) * width)
  const ahead = (row: number, column: number): number => common[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      common[row * width + column] = isSame(row, column)
        ? ahead(row + 1, column + 1) + 1
        : Math.max(ahead(row + 1, column), ahead(row, column + 1))
  const pairs: Pair[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (isSame(row, column)) pairs.push([row++, column++])
    else if (ahead(row + 1, column) >= ahead(row, column + 1)) pairs.push([row++, undefined])
    else pairs.push([undefined, column++])
  }
  return [...pairs, ...onlyOne(row), ...onlyOther(column)]
}
