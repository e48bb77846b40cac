/** Where a request goes. `hostname` is bare: no brackets, no final dot. */
export interface Target {
  readonly hostname: string;
  readonly port: number;
  readonly secure: boolean;
}

export function targetOf(url: URL): Target {
  const secure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  return { hostname, port: Number(url.port) || (secure ? 443 : 80), secure };
}
