// What of this machine a sandbox's programs can read: its programs and libraries, and the few files under /etc that they need.
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import type { BwrapView } from './bwrap-arguments.js'

const TOP = ['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32']
/** Nothing of it is about a user of this machine. */
const ETC = [
  ...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'localtime', 'mime.types', 'ssl/certs', 'ssl/openssl.cnf'],
  ...['ca-certificates.conf', 'python3', 'java-17-openjdk', 'java-21-openjdk', 'perl', 'R', 'ImageMagick-6', 'fonts'],
]
const NODE = '/opt/saydo/bin/node'

export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** `path`: the variable PATH that finds all its programs. */
export function machineView(): Pick<BwrapView, 'links' | 'folders' | 'readable'> & { readonly path: string } {
  const links: [string, string][] = []
  const folders: string[] = []
  for (const name of TOP) {
    const stats = lstatSync(`/${name}`, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) links.push([name, readlinkSync(`/${name}`)])
    else if (stats?.isDirectory()) folders.push(name)
  }
  const etc = ETC.map(name => `/etc/${name}`).filter(existsSync)
  const readable = etc.map((path): [string, string] => [path, path])
  // a Node of the user's own: the program alone, not what lies around it
  if (process.execPath.startsWith('/usr/')) return { links, folders, readable, path: PATH }
  return { links, folders, readable: [...readable, [process.execPath, NODE]], path: `${PATH}:/opt/saydo/bin` }
}
