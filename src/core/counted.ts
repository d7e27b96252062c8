// A number and what is counted → `1 step`, `2 steps`.

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
