import path from 'node:path';
import { DEFAULT_DATA_DIR } from './data-dir.js';
import { parseUrl } from './parse-url.js';
import { Derived, type Setting, setting } from './setting.js';

type FolderLocation = { readonly kind: 'folder'; readonly path: string };

export interface BucketLocation {
  readonly kind: 'bucket';
  /** Address of the server; its path is the name of the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type StorageLocation = FolderLocation | BucketLocation;

/** A folder by its path, or a bucket by an `s3:` address. */
export const storageLocation = (doc: string): Setting<StorageLocation> =>
  setting<StorageLocation>(doc, IN_DATA_DIR, (text) => {
    if (/^s3:/i.test(text)) return bucket(text);
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) throw new Error(RULE);
    return folder(text);
  });

const IN_DATA_DIR = new Derived('', (environment) =>
  folder(path.join(environment['DATA_DIR'] || DEFAULT_DATA_DIR, 'attachments')),
);

const RULE = 'must be a folder or an address such as s3://key:secret@host/bucket?region=…';

const folder = (place: string): FolderLocation => ({ kind: 'folder', path: path.resolve(place) });

function bucket(text: string): BucketLocation {
  const url = parseUrl(text);
  const [, name] = /^\/([\w.-]{3,63})\/?$/.exec(url?.pathname ?? '') ?? [];
  if (!url?.host || !url.username || !url.password || !name) throw new Error(RULE);
  const tls = url.searchParams.get('tls') ?? 'true';
  if (tls !== 'true' && tls !== 'false') throw new Error(`${RULE}; tls may be true or false`);
  return {
    kind: 'bucket',
    endpoint: `${tls === 'true' ? 'https' : 'http'}://${url.host}/${name}`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decode(url.username),
    secretAccessKey: decode(url.password),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error(`${RULE}, its parts percent-encoded`);
  }
}
