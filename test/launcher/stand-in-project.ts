import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../../apps/launcher/src/ports.js';
import { ROOT } from './launched.js';

/** Minimal stand-ins for the product’s programs; some can be set to fail. */
const APPS = {
  cli: `
    import fs from 'node:fs';
    const [verb, , file] = process.argv.slice(2);
    const made = {
      base_url: process.env.PUBLIC_URL, account: 'A', owner: { email: 'owner@example.com', password: 'the-password' },
      mailbox: 'support@example.com', client_id: 'the-client', client_secret: 'the-secret',
      redirect_uri: 'http://127.0.0.1:4001/callback', token: 'the-token',
    };
    if (verb === 'first-run') fs.writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  `,
  api: `
    import http from 'node:http';
    const server = http.createServer((request, response) => {
      if (request.url === '/crash') process.exit(7);
      response.end(String(process.pid));
    });
    server.listen(process.env.PORT, process.env.HOST);
    process.on('SIGTERM', () => process.exit(0));
  `,
  // Ends a while after the signal, and records whether the database was still running.
  worker: `
    import fs from 'node:fs';
    import net from 'node:net';
    import http from 'node:http';
    if (process.env.WORKER_FAILS) { console.log('the reason why'); process.exit(9); }
    http.createServer((request, response) => response.end()).listen(process.env.WORKER_PORT, process.env.HOST);
    const note = (text) => { fs.writeFileSync('drained', text); process.exit(0); };
    process.on('SIGTERM', () => setTimeout(() => {
      net.connect(new URL(process.env.DATABASE_URL).port, '127.0.0.1', () => note('database still there')).on('error', () => note('database gone'));
    }, 300));
  `,
};

export interface StandInProject {
  folder: string;
  dataDir: string;
  port: number;
  environment: Record<string, string>;
  remove: () => void;
}

/** A folder in which `start` finds programs to run. */
export async function standInProject(): Promise<StandInProject> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deskwire stand-in '));
  // As root, the servers run under an account that must be able to enter it.
  fs.chmodSync(folder, 0o755);
  for (const [name, program] of Object.entries(APPS)) {
    fs.mkdirSync(path.join(folder, `dist/apps/${name}/src`), { recursive: true });
    // Paths where `dev` and `start` look for the programs.
    for (const file of [`dist/apps/${name}/src/main.js`, `dist/${name}.js`])
      fs.writeFileSync(path.join(folder, file), program);
  }
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const dataDir = path.join(folder, '.data');
  shareUnpackedPrograms(dataDir);
  const port = await freePort();
  const remove = () => fs.rmSync(folder, { recursive: true, force: true });
  return { folder, dataDir, port, environment: { PORT: `${port}`, HOST: '127.0.0.1' }, remove };
}

/** Reuses Redis if this checkout has unpacked it, instead of a download per test. */
function shareUnpackedPrograms(dataDir: string): void {
  const programs = path.join(ROOT, '.data/programs');
  fs.mkdirSync(dataDir, { mode: 0o755 });
  if (fs.existsSync(programs)) fs.symlinkSync(programs, path.join(dataDir, 'programs'));
}
