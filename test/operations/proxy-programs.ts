import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { snippetFor } from '../docs/operator-pages.js';
import { selfSigned } from '../receivers/certificate.js';
import { type DebianPackages, unpackedProgram, unpackedSystem } from '../topologies/support/debian-packages.js';

export const DOMAIN = 'desk.example.com';

const PACKAGES: DebianPackages = { suite: 'trixie', names: ['nginx', 'haproxy', 'caddy'], withDependencies: true };

/** The addresses of the proxy and of the API. */
export interface ProxyPorts {
  readonly http: number;
  readonly https: number;
  readonly api: number;
}

/** A printed configuration in a folder, with ports and certificates of the test in place of the printed ones. */
export interface ProxySetUp {
  readonly file: string;
  /** Arguments with which the program checks the file, and runs with it. */
  readonly check: readonly string[];
  readonly run: readonly string[];
}

interface ProxyKind {
  readonly program: string;
  readonly version: string;
  readonly setUp: (folder: string, ports: ProxyPorts) => ProxySetUp;
}

export const PROXIES: Readonly<Record<'nginx' | 'HAProxy' | 'Caddy', ProxyKind>> = {
  nginx: { program: 'usr/sbin/nginx', version: '-v', setUp: setUpNginx },
  HAProxy: { program: 'usr/sbin/haproxy', version: '-v', setUp: setUpHaproxy },
  Caddy: { program: 'usr/bin/caddy', version: 'version', setUp: setUpCaddy },
};

/** Returns the command of the program: that of this machine, or Debian's unpacked for this checkout and fetched if allowed. */
export function proxyProgram({ program, version }: ProxyKind, mayFetch: boolean): string[] | undefined {
  const installed = path.basename(program);
  if (spawnSync(installed, [version]).status === 0) return [installed];
  if (!mayFetch && unpackedSystem(PACKAGES, false) === undefined) return undefined;
  return unpackedProgram(PACKAGES, program);
}

function setUpNginx(folder: string, { http, https, api }: ProxyPorts): ProxySetUp {
  const { key, cert } = selfSigned({ name: DOMAIN });
  write(folder, 'key.pem', key);
  const site = replaceAll(snippetFor('/etc/nginx/conf.d/deskwire.conf'), {
    '/etc/ssl/desk.example.com.pem': write(folder, 'certificate.pem', cert),
    '/etc/ssl/desk.example.com.key': path.join(folder, 'key.pem'),
    'listen 80;': `listen 127.0.0.1:${http};`,
    'listen [::]:80;': '',
    'listen 443 ssl': `listen 127.0.0.1:${https} ssl`,
    'listen [::]:443 ssl http2;': '',
    '127.0.0.1:3000': `127.0.0.1:${api}`,
  });
  // The parts of /etc/nginx/nginx.conf around the site.
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const file = write(
    folder,
    'nginx.conf',
    `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${places.join('\n')}\n${site}}\n`,
  );
  const words = ['-e', 'stderr', '-p', folder, '-c', file];
  return { file, check: [...words, '-t'], run: words };
}

function setUpHaproxy(folder: string, { http, https, api }: ProxyPorts): ProxySetUp {
  const { key, cert } = selfSigned({ name: DOMAIN });
  write(folder, 'certificate.pem', cert);
  const text = replaceAll(snippetFor('/etc/haproxy/haproxy.cfg'), {
    '/etc/haproxy/desk.example.com.pem': write(folder, 'both.pem', `${cert}${key}`),
    'bind :80': `bind 127.0.0.1:${http}`,
    'bind :443': `bind 127.0.0.1:${https}`,
    '127.0.0.1:3000': `127.0.0.1:${api}`,
  });
  const file = write(folder, 'haproxy.cfg', text);
  return { file, check: ['-c', '-f', file], run: ['-db', '-f', file] };
}

function setUpCaddy(folder: string, { http, https, api }: ProxyPorts): ProxySetUp {
  // Its own certificate authority replaces a public one.
  const options = ['admin off', 'skip_install_trust', 'default_bind 127.0.0.1', 'local_certs'].concat([
    `http_port ${http}`,
    `https_port ${https}`,
    `storage file_system ${folder}/storage`,
  ]);
  const printed = replaceAll(snippetFor('/etc/caddy/Caddyfile'), { '127.0.0.1:3000': `127.0.0.1:${api}` });
  const file = write(folder, 'Caddyfile', `{\n${options.join('\n')}\n}\n${printed}`);
  const words = ['--config', file, '--adapter', 'caddyfile'];
  return { file, check: ['validate', ...words], run: ['run', ...words] };
}

function write(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

/** Throws if a text is missing, because the page has changed. */
function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((changed, [printed, own]) => {
    if (!changed.includes(printed)) throw new Error(`docs/operations.md does not have ${printed} any more`);
    return changed.replaceAll(printed, own);
  }, text);
}
