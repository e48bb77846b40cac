import { resolve } from 'node:path';
import { SCOPES, SCOPE_SETS } from '#libs/entities';
import { EVENT_KINDS } from '#libs/payloads';
import { SECRETS, SETTINGS } from '#libs/settings';
import { MAX_QUEUED, WORKER_GONE_AFTER_MS } from '#libs/delivery';
import { CONNECT_TIMEOUT_MS, FAILURE_CODES, MAX_RESPONSE_BYTES } from '#libs/guarded-http';
import { describe, expect, it } from 'vitest';
import { INITIAL_LIMIT } from '../../apps/worker/src/deliveries/limits/concurrency-limit.js';
import { SCOPE_TEXTS } from '#libs/access';
import { MAX_RETURN_TO_CHARACTERS } from '../../apps/api/src/layers/sign-in/sign-in-paths.js';
import { LIBRARIES } from '../oauth/support/libraries.js';
import { CLIENT_GENERATORS } from './client-generators.js';
import { type Edit, documentWith, headerValues, names, record, sentence, table } from './document-edits.js';
import { RECORD_NAMES, fieldRows } from './record-fields.js';
import { EXAMPLE_HEADERS, SAMPLES } from './sample-records.js';
import { LIMITS, RETRIES, UNSET } from './webhook-limits.js';

const settings = Object.entries(SETTINGS).map(([name, { doc, shown }]) => ({
  name,
  shown,
  doc: SECRETS.includes(name) ? `${doc} Or \`${name}_FILE\`.` : doc,
}));
const kinds = Object.entries(EVENT_KINDS);
const LANGUAGE_NAMES = { node: 'Node.js', browser: 'browser', python: 'Python', go: 'Go' };
const code = (text: string): string => text && `\`${text}\``;

function environmentExample(): string {
  const entries = settings.map(({ name, doc, shown }) => `# ${doc}\n# ${name}=${shown}\n`);
  return ['# Every setting, with what holds where it is unset. See docs/configuration.md.\n', ...entries].join('\n');
}

const settingRows = settings.map(({ name, doc, shown }) => [code(name), code(shown), doc]);
const kindRows = kinds.map(([kind, { record: name, when }]) => [code(kind), code(name), when]);
const setOf = (scope: string): readonly string[] =>
  (SCOPE_SETS as Readonly<Record<string, readonly string[]>>)[scope] ?? [];
const scopeRows = SCOPES.map((scope) => {
  const members = setOf(scope).filter((member) => member !== scope);
  return [code(scope), members.map(code).join(', '), SCOPE_TEXTS[scope].sentence];
});
const libraryRows = LIBRARIES.map(({ name, version, language, isPublic, hint = '' }) => [
  code(name),
  version,
  `${isPublic ? 'public' : 'with a secret'}, ${LANGUAGE_NAMES[language]}`,
  hint,
]);
const generatorRows = Object.values(CLIENT_GENERATORS).map(({ name, version, command }) => [
  code(name),
  version,
  code(command),
]);
const records = Object.entries(SAMPLES).map(([name, sample]) => record(name, sample));
const KIB = 1024;

const seconds = UNSET.WEBHOOK_TIMEOUT_MS / 1_000;

/** The parts of the guide to webhooks, by page. */
const GUIDE: Readonly<Record<string, readonly Edit[]>> = {
  'docs/webhooks.md': [
    sentence`2xx within ${seconds} seconds`,
    sentence`nothing complete in ${seconds} seconds`,
    sentence`must be open within ${CONNECT_TIMEOUT_MS / 1_000} seconds`,
    sentence`At most ${MAX_RESPONSE_BYTES / KIB} KiB of a response are read`,
  ],
  'docs/webhooks-records.md': [
    table('kind', kindRows),
    names('header', Object.keys(EXAMPLE_HEADERS).map(code)),
    headerValues(EXAMPLE_HEADERS),
    ...records,
    ...RECORD_NAMES.map((name) => table(`field of an? ${name.toLowerCase()}`, fieldRows(name))),
  ],
  'docs/webhooks-deliveries.md': [
    table('after attempt', RETRIES),
    table('limit', LIMITS),
    names('`error`', FAILURE_CODES.map(code)),
    sentence`it is kept, ${UNSET.RETENTION_DAYS} days unless`,
  ],
};

const FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  '.env.example': environmentExample,
  'docs/configuration.md': () => documentWith('docs/configuration.md', table('variable', settingRows)),
  ...Object.fromEntries(Object.entries(GUIDE).map(([page, edits]) => [page, () => documentWith(page, ...edits)])),
  'docs/oauth.md': () =>
    documentWith(
      'docs/oauth.md',
      table('scope', scopeRows),
      table('library', libraryRows),
      sentence`the address has over ${MAX_RETURN_TO_CHARACTERS} characters`,
    ),
  'docs/security.md': () =>
    documentWith('docs/security.md', sentence`reads at most ${MAX_RESPONSE_BYTES / KIB} KiB of the response`),
  'docs/api.md': () =>
    documentWith(
      'docs/api.md',
      table('generator', generatorRows),
      sentence`| ${UNSET.RATE_LIMIT_PER_MINUTE} requests a minute;`,
      sentence`| ${UNSET.OPEN_REQUESTS_PER_ADDRESS} requests at once`,
    ),
  'docs/console.md': () =>
    documentWith(
      'docs/console.md',
      sentence`\`LIVE_STREAMS_PER_AGENT\` streams (${UNSET.LIVE_STREAMS_PER_AGENT})`,
      sentence`\`LIVE_STREAMS_PER_ACCOUNT\` (${UNSET.LIVE_STREAMS_PER_ACCOUNT})`,
    ),
  'docs/operations.md': () =>
    documentWith(
      'docs/operations.md',
      sentence`\`KEEP_ALIVE_TIMEOUT_MS\` (${UNSET.KEEP_ALIVE_TIMEOUT_MS / 1_000} seconds)`,
      sentence`and ${MAX_QUEUED} slow ones: ${UNSET.WORKER_CONCURRENCY + MAX_QUEUED} with the default`,
      sentence`workers that reported in the last ${WORKER_GONE_AFTER_MS / 1_000} seconds`,
    ),
  'docs/decisions/isolation.md': () =>
    documentWith(
      'docs/decisions/isolation.md',
      sentence`a receiver ${INITIAL_LIMIT} requests at once, and a host and port ${UNSET.WEBHOOK_HOST_PER_SECOND}`,
      sentence`heartbeat in the last ${WORKER_GONE_AFTER_MS / 1_000} seconds`,
    ),
  'docs/specification.md': () =>
    documentWith(
      'docs/specification.md',
      table(
        'kind',
        kindRows.map(([kind]) => [kind!]),
      ),
    ),
};

describe('the lists and numbers in documents (npm run docs)', () => {
  it.each(Object.entries(FILES))('match the code in %s', async (path, write) => {
    await expect(await write()).toMatchFileSnapshot(resolve(path));
  });
});
