/** Bodies of at most 1 MiB, each the worst case of one parser. */
export const HEAVY_BODIES = {
  'a long name with thousands of faults': JSON.stringify({ ['a'.repeat(240_000)]: Array(2150).fill('\0') }),
  'a long name at each of twelve levels': nested(11, 'a'.repeat(80_000), '\0'),
  '100,000 elements': JSON.stringify({ list: Array(100_000).fill('a') }),
  '90,000 fields': JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, n) => [`f${n}`, n]))),
  'half a million numbers': JSON.stringify({ list: Array(500_000).fill(1) }),
  'lists a hundred thousand deep': `{"list":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
} as const;

function nested(levels: number, name: string, value: unknown): string {
  return JSON.stringify(Array.from({ length: levels }).reduce((inner) => ({ [name]: [inner, '\0'] }), value));
}
