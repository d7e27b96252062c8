// The Standard Schema contract (https://standardschema.dev), as far as saydo uses it: any library's schema that implements it is taken.
export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** Standard JSON Schema: the schema of what goes in; throws when the schema has no JSON form. */
    readonly jsonSchema?:
      | { readonly input: (options: { readonly target: string }) => Readonly<Record<string, unknown>> }
      | undefined
  }
}
