import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { existing } from '#libs/entities';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../edge/caller.js';

interface Asset {
  readonly type: string;
  readonly body: Buffer;
  readonly version: string;
}

const TYPES = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
} as const;

const require = createRequire(import.meta.url);
/** In order: later rules override earlier ones. */
const STYLES =
  'tokens base buttons fields indicators overlays sidebar page card-page page-parts ' +
  'charts inbox ticket messages recipients customer-pane narrow-screens attachments reference print';

/** In order: a form is sent after its draft is saved. */
export const SCRIPTS = [
  'mentions',
  'drafts',
  'composer',
  'files',
  'console',
  'keyboard',
  'list',
  'live',
  'menus',
  'saved-replies',
  'suggestions',
  'thread',
  'toasts',
] as const;

type AssetName =
  | 'console.css'
  | 'htmx.js'
  | 'held-keys.js'
  | 'icon.svg'
  | 'icons.svg'
  | 'reference.js'
  | `${(typeof SCRIPTS)[number]}.js`;

/** The compiler does not copy assets, so they are read from the source folder, which package.json names. */
const FILES = new Map<string, readonly string[]>([
  ['console.css', STYLES.split(' ').map((name) => `#assets/${name}.css`)],
  ['htmx.js', ['htmx.org/dist/htmx.min.js']],
  ...[
    'favicon.ico',
    'icon.svg',
    'icons.svg',
    'held-keys.js',
    'reference.js',
    ...SCRIPTS.map((name) => `${name}.js`),
  ].map((name) => [name, [`#assets/${name}`]] as const),
]);

const loaded = new Map<string, Asset>();

export function findAsset(name: string): Asset | undefined {
  const paths = FILES.get(name);
  if (paths && !loaded.has(name)) loaded.set(name, load(name, paths));
  return loaded.get(name);
}

/** The address contains the version, so that browsers can cache the asset forever. */
export const assetUrl = (name: AssetName): string => `/assets/${findAsset(name)?.version}/${name}`;

export const readAsset = (name: AssetName): string => findAsset(name)!.body.toString().trim();

function load(name: string, paths: readonly string[]): Asset {
  const body = Buffer.concat(paths.flatMap((path) => [readFileSync(require.resolve(path)), Buffer.from('\n')]));
  const type = TYPES[name.split('.').at(-1) as keyof typeof TYPES];
  return { type, body, version: createHash('sha256').update(body).digest('hex').slice(0, 10) };
}

const CACHE_CONTROL = 'public, max-age=31536000, immutable';

@Controller('assets')
@Public()
export class AssetsController {
  @Get(':version/:name')
  read(@Param('name') name: string, @Res({ passthrough: true }) reply: FastifyReply): Buffer {
    const asset = existing(findAsset(name), 'asset');
    void reply
      .header('content-type', asset.type)
      .header('cache-control', CACHE_CONTROL)
      .header('x-content-type-options', 'nosniff');
    return asset.body;
  }
}
