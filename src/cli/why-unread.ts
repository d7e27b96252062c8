// What reading a file threw → why, in words.

/** A few words without a full stop. */
export function whyUnread(error: unknown): string {
  const { code, message } = error as { readonly code?: string; readonly message?: string }
  return REASONS[code ?? ''] ?? message ?? String(error)
}

const REASONS: { readonly [code: string]: string | undefined } = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
}
