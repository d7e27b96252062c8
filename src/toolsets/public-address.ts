// An IP address → whether it is one of the open internet, whatever way it is wrapped (IPv4 in IPv6, NAT64). What is reserved, local or private is not.
import { BlockList, isIP } from 'node:net'

/** An address without its wrapping: `::ffff:7f00:1` is `127.0.0.1`. Undefined for what is no address. */
export function plainAddress(text: string): string | undefined {
  if (isIP(text) === 4) return text
  // a zone such as %eth0 names a link of this machine
  if (isIP(text) !== 6 || text.includes('%')) return undefined
  const short = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const wrapped = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(short)
  if (!wrapped) return short
  const [high, low] = [Number.parseInt(wrapped[1] ?? '', 16), Number.parseInt(wrapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

export function isPublicAddress(text: string): boolean {
  const address = plainAddress(text)
  if (address === undefined) return false
  if (isIP(address) === 4) return !RESERVED.check(address, 'ipv4')
  return GLOBAL.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6')
}

export function isLoopback(text: string): boolean {
  const address = plainAddress(text)
  return address === '::1' || address?.startsWith('127.') === true
}

/** The only part of IPv6 that is given out. */
const GLOBAL = new BlockList()
GLOBAL.addSubnet('2000::', 3, 'ipv6')

const RESERVED = new BlockList()
for (const subnet of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // tunnels, which may end anywhere, and examples
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]) {
  const [net = '', bits] = subnet.split('/')
  RESERVED.addSubnet(net, Number(bits), net.includes(':') ? 'ipv6' : 'ipv4')
}
