/** The import rules of the house. Each tells its reason, because a rule without one is the first to be broken. */
const only = (from, to) => ({
  from: { path: `^libs/${from}/` },
  to: { path: '^libs/', pathNot: [`^libs/${from}/`, ...to.map((name) => `^libs/${name}/`)] },
});

const rule = (name, comment, edges) => ({ name, comment, severity: 'error', ...edges });

/** The folders of apps/api/src/layers. Each may import those before it, and no noun. */
const API_LAYERS = ['edge', 'ui', 'sign-in', 'oauth', 'live', 'shell'];

const layerRules = API_LAYERS.map((layer, at) =>
  rule(`api-${layer}`, 'Layers import downwards only, so each can be read and changed without those above it.', {
    from: { path: `^apps/api/src/layers/${layer}/` },
    to: { path: '^apps/api/src/', pathNot: `^apps/api/src/layers/(${API_LAYERS.slice(0, at + 1).join('|')})/` },
  }),
);

/** The folders of the worker, with the folders that each may import. Files beside them, such as loop.ts, are open to all. */
const WORKER_FOLDERS = {
  telemetry: [],
  'deliveries/sender': [],
  'deliveries/limits': ['telemetry'],
  'deliveries/queue': ['deliveries/limits', 'telemetry'],
  'deliveries/relay': ['deliveries/limits', 'deliveries/queue', 'telemetry'],
  'deliveries/attempt': ['deliveries/sender', 'deliveries/limits', 'deliveries/queue', 'telemetry'],
  'mail/outbound': ['deliveries/limits', 'telemetry'],
  'mail/inbound': ['telemetry'],
  'mail/imap': ['deliveries/limits', 'telemetry'],
  upkeep: ['telemetry'],
  health: ['deliveries/attempt', 'deliveries/limits', 'deliveries/queue', 'telemetry'],
};

const workerRules = Object.entries(WORKER_FOLDERS).map(([folder, imports]) =>
  rule(`worker-${folder}`, 'The flow goes one way: relay, queue, attempt, sender. See docs/architecture.md.', {
    from: { path: `^apps/worker/src/${folder}/` },
    to: {
      path: `^apps/worker/src/(${Object.keys(WORKER_FOLDERS).join('|')})/`,
      pathNot: [folder, ...imports].map((name) => `^apps/worker/src/${name}/`),
    },
  }),
);

module.exports = {
  forbidden: [
    rule('no-circles', 'Two files that need each other are one idea in two places, and load order starts to matter.', {
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    }),
    rule('apps-stand-alone', 'Apps are deployed and scaled on their own; what two of them need is a library.', {
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    }),
    rule('libs-never-import-apps', 'A library serves every app, so it can know none.', {
      from: { path: '^libs/' },
      to: { path: '^(apps|test|bench)/' },
    }),
    rule(
      'front-door',
      'A library is entered through its index.ts: what is not listed there can change without asking.',
      {
        from: { path: '^(apps|test|bench|libs/([^/]+))/' },
        to: { path: '^libs/([^/]+)/src/.+', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^libs/$2/'] },
      },
    ),
    rule(
      'foundations-stand-alone',
      'settings, entities and telemetry are imported by everything, so they may import no other library.',
      {
        from: { path: '^libs/(settings|entities|telemetry)/' },
        to: { path: '^libs/', pathNot: '^libs/$1/' },
      },
    ),
    rule(
      'payloads-know-rows-only',
      'A payload is a pure function of a row; it can reach neither the database nor the rules.',
      only('payloads', ['entities']),
    ),
    rule(
      'database-knows-rows-only',
      'The data source lists the entities and needs no more.',
      only('database', ['entities', 'settings']),
    ),
    rule(
      'secrets-know-no-domain',
      'A secret is sealed in the same way whatever it opens, so the box can know none of those who use it.',
      only('secret-box', ['database', 'settings']),
    ),
    rule('sdk-is-for-others', 'It is shipped alone, so it imports nothing, and nothing in the product depends on it.', {
      from: { path: '^(apps|libs)/', pathNot: '^libs/sdk/' },
      to: { path: '^libs/sdk/' },
    }),
    rule('sdk-stands-alone', 'It has no dependencies, and runs where Node does not.', {
      from: { path: '^libs/sdk/src/' },
      // The last one is made when the package is built.
      to: { pathNot: ['^libs/sdk/src/', '^\\./openapi\\.js$'] },
    }),
    rule(
      'guard-knows-addresses-only',
      'Where one may connect to is decided alike for whatever connects.',
      only('address-guard', []),
    ),
    rule(
      'pacing-knows-no-jobs',
      'Turns and waiting times do not depend on the work, so any library may use them.',
      only('pacing', []),
    ),
    rule(
      'events-know-no-domain',
      'Everything that happens is written here, whichever library it happens in, so this one can know none of them.',
      only('events', ['entities', 'payloads', 'database', 'telemetry']),
    ),
    rule(
      'lists-know-tables-only',
      'A list is a page of any table; what stands in the table is the business of who asks.',
      only('lists', ['entities', 'database']),
    ),
    rule(
      'mail-knows-no-domain',
      'A mail is sent in the same way whatever it is about; what stands in it is written by those who know.',
      only('mail', ['address-guard', 'database', 'entities', 'settings', 'telemetry']),
    ),
    rule(
      'domain-libraries-stand-apart',
      'tickets, access and webhooks meet in the apps, not in each other, so each can be read alone.',
      {
        from: { path: '^libs/(tickets|access|webhooks)/' },
        to: { path: '^libs/(tickets|access|webhooks|mailboxes)/', pathNot: '^libs/$1/' },
      },
    ),
    rule(
      'delivery-knows-no-registration',
      'Webhooks ask the ledger to send; the ledger needs only the row of a webhook, not who registered it and how.',
      only('delivery', ['database', 'entities', 'events', 'redis', 'secret-box', 'settings', 'telemetry']),
    ),
    rule(
      'delivery-serves-webhooks-only',
      'Other domain libraries record events. What is sent for an event is decided behind the outbox.',
      {
        from: { path: '^libs/(tickets|access|mailboxes|events)/' },
        to: { path: '^libs/delivery/' },
      },
    ),
    rule(
      'an-account-is-named-first',
      'A repository of TypeORM asks over all accounts. The one of #libs/database has to be told which, so no other is known.',
      {
        from: { path: '^(apps|libs)/', pathNot: '^libs/(database|entities)/' },
        to: { path: 'node_modules/typeorm/' },
      },
    ),
    rule('doctor-looks-only', 'Whoever judges an installation changes nothing in it.', {
      from: { path: '^libs/doctor/' },
      to: { path: '^libs/', pathNot: '^libs/(delivery|doctor|database|secret-box|settings|storage)/' },
    }),
    rule(
      'storage-knows-bytes-only',
      'Where files are kept is one thing, whose they are and who may have them another: a third place to keep them is one more class.',
      only('storage', ['settings']),
    ),
    rule(
      'files-belong-to-tickets-and-mail',
      'Files are stored and served by two libraries, which check access. Health and the doctor read the free space.',
      {
        from: {
          path: '^(apps|libs)/',
          pathNot: [
            '^libs/(tickets|mailboxes|storage|doctor)/',
            '^apps/[^/]+/src/((health|upkeep)/|worker\\.module\\.ts$)',
          ],
        },
        to: { path: '^libs/storage/' },
      },
    ),
    rule('bucket-client-in-one-place', 'The client for buckets can be replaced by changing one file.', {
      from: { path: '^(apps|libs)/', pathNot: '^libs/storage/src/bucket-store\\.ts$' },
      to: { path: 'node_modules/s3mini/' },
    }),
    rule(
      'queue-in-two-places',
      'BullMQ is known to the worker and to the queue contract only, so the queue can be replaced in one place.',
      {
        from: { path: '^(apps|libs)/', pathNot: ['^apps/worker/', '^libs/delivery/'] },
        to: { path: 'node_modules/(bullmq)/' },
      },
    ),
    rule(
      'redis-knows-places-only',
      'Where Redis is, is one thing; what it is asked, another.',
      only('redis', ['settings']),
    ),
    rule(
      'redis-in-one-place',
      'Sentinels, a Cluster, TLS and time-outs are minded where connections are made, and nowhere else.',
      {
        from: { path: '^(apps|libs)/', pathNot: ['^libs/redis/', '^apps/launcher/'] },
        to: { path: 'node_modules/(ioredis)/' },
      },
    ),
    ...layerRules,
    ...workerRules,
    rule(
      'api-nouns',
      'A noun shows the others what its index.ts lists. The rest of it can change without reading them.',
      {
        from: { path: '^apps/api/src/([^/]+)/' },
        to: {
          path: '^apps/api/src/[^/]+/',
          pathNot: ['^apps/api/src/$1/', '^apps/api/src/layers/', '^apps/api/src/[^/]+/index\\.ts$'],
        },
      },
    ),
    rule('api-root', 'The files beside the folders put the program together, so no folder imports them.', {
      from: { path: '^apps/api/src/[^/]+/' },
      to: { path: '^apps/api/src/[^/]+$' },
    }),
    rule('tests-stay-outside', 'Shipped code never needs a test or a benchmark.', {
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.tsx?$' },
      to: { path: '^(test|bench)/' },
    }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    exclude: { path: '^dist/' },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
