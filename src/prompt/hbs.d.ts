// A template file imported as its text; the bundler and the test runner both do so.
declare module '*.hbs' {
  const text: string
  export default text
}
