/** In this order: most browsers also say that they are those further down. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\b(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+).*Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Short enough to recognise one's own by; what cannot be read is shown as it came. */
export function browserLabel(userAgent: string): string {
  for (const [mark, name] of BROWSERS) {
    const version = mark.exec(userAgent)?.[1];
    const system = SYSTEMS.find(([sign]) => sign.test(userAgent))?.[1];
    if (version) return system ? `${name} ${version} on ${system}` : `${name} ${version}`;
  }
  return userAgent.slice(0, 80) || 'unknown';
}
