import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly version: string;
}

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;

/** The compiler copies no style sheets, so they are read where they were written. */
const FOLDER = fileURLToPath(new URL('./assets/', import.meta.url)).replace(/\/dist(?=\/apps\/api\/)/, '');

/** Files that browsers get as they are, listed so that no other can be asked for. */
const FILES = { 'console.css': `${FOLDER}console.css`, 'icon.svg': `${FOLDER}icon.svg` } as const;
export type AssetName = keyof typeof FILES;

class Assets {
  private readonly read = new Map<string, Asset>();

  /** With the version in the address, so that a browser may keep it for good. */
  url(name: AssetName): string {
    return `/assets/${this.find(name)?.version}/${name}`;
  }

  find(name: string): Asset | undefined {
    const path = Object.hasOwn(FILES, name) ? FILES[name as AssetName] : undefined;
    if (path && !this.read.has(name)) this.read.set(name, load(path));
    return this.read.get(name);
  }
}

function load(path: string): Asset {
  const body = readFileSync(path);
  const type = TYPES[path.split('.').at(-1) as keyof typeof TYPES];
  return { type, body, version: createHash('sha256').update(body).digest('hex').slice(0, 10) };
}

export const ASSETS = new Assets();
