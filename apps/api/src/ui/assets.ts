import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly version: string;
}

const TYPES = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const;

const require = createRequire(import.meta.url);
/** The compiler does not copy style sheets, so they are read from the source folder, which package.json names. */
const ownFiles = (...names: string[]): string[] => names.map((name) => require.resolve(`#assets/${name}`));

/** The order matters: later rules override earlier ones. */
const STYLES =
  'tokens base buttons fields indicators overlays sidebar page card-page page-parts ' +
  'charts inbox ticket messages recipients customer-pane narrow-screens attachments reference print';

/** All assets, each of one or more files. No other file is served. */
const FILES = {
  'console.css': ownFiles(...STYLES.split(' ').map((name) => `${name}.css`)),
  'console.js': ownFiles('console.js'),
  'drafts.js': ownFiles('drafts.js'),
  'files.js': ownFiles('files.js'),
  'keyboard.js': ownFiles('keyboard.js'),
  'live.js': ownFiles('live.js'),
  'suggestions.js': ownFiles('suggestions.js'),
  'reference.js': ownFiles('reference.js'),
  'search.js': ownFiles('search.js'),
  'thread.js': ownFiles('thread.js'),
  'toasts.js': ownFiles('toasts.js'),
  'htmx.js': [require.resolve('htmx.org/dist/htmx.min.js')],
  'icon.svg': ownFiles('icon.svg'),
} as const;
type AssetName = keyof typeof FILES;

const loaded = new Map<string, Asset>();

export function findAsset(name: string): Asset | undefined {
  const paths = Object.hasOwn(FILES, name) ? FILES[name as AssetName] : undefined;
  if (paths && !loaded.has(name)) loaded.set(name, load(name, paths));
  return loaded.get(name);
}

/** The address contains the version, so that browsers may cache it for ever. */
export const assetUrl = (name: AssetName): string => `/assets/${findAsset(name)?.version}/${name}`;

/** For what is made of an asset. */
export const readAsset = (name: AssetName): string => findAsset(name)!.body.toString().trim();

function load(name: string, paths: readonly string[]): Asset {
  const body = Buffer.concat(paths.flatMap((path) => [readFileSync(path), Buffer.from('\n')]));
  const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
  return { type, body, version: createHash('sha256').update(body).digest('hex').slice(0, 10) };
}
