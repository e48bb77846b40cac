// @module-tag long
import net from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { Launched } from './launched.js';
import { standInProject } from './stand-in-project.js';

async function startWith(environment: Record<string, string>) {
  const project = await standInProject();
  const launched = Launched.start(['start'], { ...project, environment: { ...project.environment, ...environment } });
  const code = await launched.ended;
  project.remove();
  return { code, output: launched.output };
}

describe.concurrent('a start on given servers', () => {
  it('reports a REDIS_URL without a listening server, and what to do', async () => {
    const { code, output } = await startWith({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });

    expect(code).toBe(1);
    expect(output).toMatch(
      /Redis at REDIS_URL does not respond \(.*ECONNREFUSED.*\): start that server, correct REDIS_URL/,
    );
  });

  it('reports a REDIS_URL with a wrong password at once', async () => {
    const { code, output } = await startWith({ REDIS_URL: wrongPassword(process.env['REDIS_URL'] ?? '') });

    expect(code).toBe(1);
    expect(output).toMatch(/Redis at REDIS_URL does not respond \(.*(WRONGPASS|NOAUTH|ERR AUTH)/);
  });

  it('reports a DATABASE_URL with a wrong password at once', async () => {
    const { code, output } = await startWith({ DATABASE_URL: wrongPassword(process.env['DATABASE_URL'] ?? '') });

    expect(code).toBe(1);
    expect(output).toContain('PostgreSQL at DATABASE_URL does not respond (password authentication failed');
  });

  it('gives up a server that accepts connections and stays silent', async () => {
    const silent = net.createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as net.AddressInfo;
    const { code, output } = await startWith({ REDIS_URL: `redis://127.0.0.1:${port}` });
    silent.close();

    expect(code).toBe(1);
    expect(output).toContain('Redis at REDIS_URL does not respond (no response within 5 s)');
  });
});

function wrongPassword(url: string): string {
  const wrong = new URL(url);
  wrong.password = 'wrong';
  return wrong.href;
}
