// Option texts → numbers, with a message that says what is wanted.

/** A whole number from `from`. */
export function wholeNumber(from: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isSafeInteger(value) && value >= from) return value
    throw new Error(`a whole number from ${from} is wanted`)
  }
}

/** Any number from `from`. */
export function number(from: number): (text: string) => number {
  return text => {
    const value = Number(text)
    if (text.trim() !== '' && Number.isFinite(value) && value >= from) return value
    throw new Error(`a number from ${from} is wanted`)
  }
}
