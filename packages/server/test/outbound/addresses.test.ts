import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressJudge, toAddress } from '../../src/outbound/addresses.ts'

const judge = createAddressJudge({ allowLoopback: false, allowedNetworks: [] })

describe('a public address is', () => {
  test.each([
    '1.0.0.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '191.255.255.255',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
    '2000::1',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '2606:4700::1111',
    '2620:4f:7fff::1',
    '2620:4f:8001::1',
    '2a00:1450:4001::1',
    '3ffe:ffff::1',
    '3fff:1000::1',
  ])('%s', (address) => {
    expect(judge(address)).toBe('public')
  })
})

describe('the permission of the operator', () => {
  const lenient = createAddressJudge({
    allowLoopback: true,
    allowedNetworks: ['10.1.0.0/16', '192.168.7.7/32', 'fd12::/16'],
  })

  test.each([
    '127.0.0.1',
    '127.255.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.0.0',
    '10.1.255.255',
    '::ffff:a01:203',
    '192.168.7.7',
    'fd12:ffff::1',
  ])('includes %s', (address) => {
    expect(lenient(address)).toBe('permitted')
  })

  test.each(['10.0.255.255', '10.2.0.0', '192.168.7.8', 'fd13::1', '::', '0.0.0.0', '::127.0.0.1'])(
    'does not include %s',
    (address) => {
      expect(lenient(address)).toBe('blocked')
    },
  )

  test.each(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', 'fd20:ce::254'])(
    'never includes %s, even if an allowed network contains it',
    (address) => {
      const allowedNetworks = ['0.0.0.0/0', '::/0']
      const open = createAddressJudge({ allowLoopback: true, allowedNetworks })
      expect([open(address), open('10.9.9.9')]).toEqual(['blocked', 'permitted'])
    },
  )

  test('leaves a public address public', () => {
    expect(lenient('8.8.8.8')).toBe('public')
  })

  test.each(['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0/8', 'fd00::/129', '/8', 'x/8', ''])(
    'cannot be %j',
    (network) => {
      const policy = { allowLoopback: false, allowedNetworks: [network] }
      expect(() => createAddressJudge(policy)).toThrow('CIDR')
    },
  )
})

describe('the spelling of an address', () => {
  test.each([
    ['8.8.8.8', '8.8.8.8'],
    ['::FFFF:8.8.8.8', '8.8.8.8'],
    ['0:0:0:0:0:ffff:0808:0808', '8.8.8.8'],
    ['2606:4700:0:0::1111', '2606:4700::1111'],
    ['::1', '::1'],
  ])('%s becomes %s', (text, address) => {
    expect(toAddress(text)).toBe(address)
  })

  test.each(['', 'localhost', '127.1', '0177.0.0.1', '1.2.3.4/8', '[::1]', 'fe80::1%lo', '::1%1'])(
    '%j is none',
    (text) => {
      expect(toAddress(text)).toBeUndefined()
      expect(judge(text)).toBe('blocked')
    },
  )
})

describe('the judge', () => {
  test('always agrees with arithmetic on IPv4 addresses', () => {
    fc.assert(
      fc.property(near(IPV4_EDGES, 32), (number) => {
        const address = toIpv4(number)
        const expected = SPECIAL_IPV4.some(([first, last]) => number >= first && number <= last)
        expect(judge(address)).toBe(expected ? 'blocked' : 'public')
        expect(judge(`::ffff:${address}`)).toBe(judge(address))
      }),
      { numRuns: 2_000 },
    )
  })

  test('always agrees with arithmetic on IPv6 addresses', () => {
    fc.assert(
      fc.property(near(IPV6_EDGES, 128), (number) => {
        // The mapped block is IPv4, which the test above compares.
        fc.pre(number >> 32n !== 0xffffn)
        const isIn = ([first, last]: Range) => number >= first && number <= last
        const expected = isIn(GLOBAL_IPV6) && !SPECIAL_IPV6.some(isIn)
        expect(judge(toIpv6(number))).toBe(expected ? 'public' : 'blocked')
      }),
      { numRuns: 2_000 },
    )
  })
})

type Range = readonly [first: bigint, last: bigint]

// Written a second time, as numbers: the first and last address of each block.
const SPECIAL_IPV4: readonly Range[] = [
  [0x00000000n, 0x00ffffffn],
  [0x0a000000n, 0x0affffffn],
  [0x64400000n, 0x647fffffn],
  [0x7f000000n, 0x7fffffffn],
  [0xa9fe0000n, 0xa9feffffn],
  [0xac100000n, 0xac1fffffn],
  [0xc0000000n, 0xc00000ffn],
  [0xc0000200n, 0xc00002ffn],
  [0xc01fc400n, 0xc01fc4ffn],
  [0xc034c100n, 0xc034c1ffn],
  [0xc0586300n, 0xc05863ffn],
  [0xc0a80000n, 0xc0a8ffffn],
  [0xc0af3000n, 0xc0af30ffn],
  [0xc6120000n, 0xc613ffffn],
  [0xc6336400n, 0xc63364ffn],
  [0xcb007100n, 0xcb0071ffn],
  [0xe0000000n, 0xffffffffn],
]
const GLOBAL_IPV6 = ipv6Range(0x2000n, 16n, 3n)
const SPECIAL_IPV6: readonly Range[] = [
  ipv6Range(0x2001_0000n, 32n, 23n),
  ipv6Range(0x2001_0db8n, 32n, 32n),
  ipv6Range(0x2002n, 16n, 16n),
  ipv6Range(0x2620_004f_8000n, 48n, 48n),
  ipv6Range(0x3fff_0000n, 32n, 20n),
]
const IPV4_EDGES = SPECIAL_IPV4.flat()
const IPV6_EDGES = [GLOBAL_IPV6, ...SPECIAL_IPV6].flat()

/** The block with `prefixBits`, from its leading digits of `digitBits` length. */
function ipv6Range(digits: bigint, digitBits: bigint, prefixBits: bigint): Range {
  const first = digits << (128n - digitBits)
  return [first, first + (1n << (128n - prefixBits)) - 1n]
}

/** Any number of that many bits, often one next to the ends of the blocks. */
function near(edges: readonly bigint[], bits: number): fc.Arbitrary<bigint> {
  const most = (1n << BigInt(bits)) - 1n
  const beside = fc
    .tuple(fc.constantFrom(...edges), fc.bigInt({ min: -2n, max: 2n }))
    .map(([edge, distance]) => edge + distance)
    .filter((number) => number >= 0n && number <= most)
  return fc.oneof(fc.bigInt({ min: 0n, max: most }), beside)
}

function toIpv4(number: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 0xffn).join('.')
}

function toIpv6(number: bigint): string {
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n]
  return groups.map((shift) => ((number >> shift) & 0xffffn).toString(16)).join(':')
}
