// The page's program and style, bundled by the build: see bundled-text.config.ts.
declare module '*.page' {
  const page: { readonly script: string; readonly style: string }
  export default page
}

declare module '*.css'
