// A module bundled with all it imports, as the text of a program; the bundler and the test runner both do so (see bundled-text.config.ts).
declare module '*.program' {
  const text: string
  export default text
}
