import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { UserFacingError } from './terminal.js';

/** No system gives these ports to outgoing connections, so a program that starts or restarts later finds its port free. */
const LOWEST_PORT = 11_000;
const HIGHEST_PORT = 32_000;

const foundPorts = new Set<number>();

/** Finds a free port that it has not found before. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (foundPorts.has(port)) continue;
    foundPorts.add(port);
    try {
      return await listenOn(port, '127.0.0.1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Checked first, because the API would fail only after the databases are up. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  try {
    await listenOn(port, host);
  } catch (error) {
    throw new UserFacingError(listenErrorMessage(host, port, (error as NodeJS.ErrnoException).code));
  }
}

async function listenOn(wanted: number, host: string): Promise<number> {
  const server = net.createServer().listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function listenErrorMessage(host: string, port: number, code: string | undefined): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program: choose another one, as in PORT=${port + 1} npm start.`;
  if (code === 'EACCES')
    return `Port ${port} needs more rights than you have: choose one above 1023, as in PORT=3000 npm start.`;
  return `Cannot listen on ${host}:${port} (${code}): set HOST to an address of this machine, such as 127.0.0.1.`;
}

export function connectableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
