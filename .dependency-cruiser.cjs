/** The import rules, each with its reason. */
const only = (from, to) => ({
  from: { path: `^libs/${from}/` },
  to: { path: '^libs/', pathNot: [`^libs/${from}/`, ...to.map((name) => `^libs/${name}/`)] },
});

const rule = (name, comment, edges) => ({ name, comment, severity: 'error', ...edges });

/** The folders of apps/api/src/layers. Each may import those before it, and no noun. */
const API_LAYERS = ['edge', 'ui', 'sign-in', 'oauth', 'live', 'shell'];

const layerRules = API_LAYERS.map((layer, at) =>
  rule(`api-${layer}`, 'Layers import only those below them, so each can be read and changed without the ones above.', {
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
    rule('no-circles', 'Two files that import each other are one idea in two places, and depend on the load order.', {
      from: {},
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    }),
    rule(
      'apps-stand-alone',
      'Apps are deployed and scaled separately. Code that two of them need belongs in a library.',
      {
        from: { path: '^apps/([^/]+)/' },
        to: { path: '^apps/', pathNot: '^apps/$1/' },
      },
    ),
    rule('libs-never-import-apps', 'A library serves every app, so it depends on none.', {
      from: { path: '^libs/' },
      to: { path: '^(apps|test|bench)/' },
    }),
    rule(
      'front-door',
      'A library is imported through its index.ts. Everything else in it is private and can change freely.',
      {
        from: { path: '^(apps|test|bench|libs/([^/]+))/' },
        to: { path: '^libs/([^/]+)/src/.+', pathNot: ['^libs/[^/]+/src/index\\.ts$', '^libs/$2/'] },
      },
    ),
    rule(
      'foundations-stand-alone',
      'All code imports settings, entities and telemetry, so these import no other library.',
      {
        from: { path: '^libs/(settings|entities|telemetry)/' },
        to: { path: '^libs/', pathNot: '^libs/$1/' },
      },
    ),
    rule(
      'payloads-know-rows-only',
      'A payload is a pure function of a row. It uses neither the database nor the services.',
      only('payloads', ['entities']),
    ),
    rule(
      'database-knows-rows-only',
      'The data source needs only the entities and the settings.',
      only('database', ['entities', 'settings']),
    ),
    rule(
      'secrets-know-no-domain',
      'All secrets are encrypted in the same way, so the library does not depend on its users.',
      only('secret-box', ['database', 'settings']),
    ),
    rule('sdk-is-for-others', 'The SDK is a package for other programs. Nothing in the product depends on it.', {
      from: { path: '^(apps|libs)/', pathNot: '^libs/sdk/' },
      to: { path: '^libs/sdk/' },
    }),
    rule('sdk-stands-alone', 'The SDK has no dependencies and also runs outside Node.', {
      from: { path: '^libs/sdk/src/', pathNot: '^libs/sdk/src/command/' },
      // The build of the package generates the last one.
      to: { pathNot: ['^libs/sdk/src/', '^\\./openapi\\.js$'] },
    }),
    rule(
      'guard-knows-addresses-only',
      'All outgoing connections follow the same address rules.',
      only('address-guard', ['settings']),
    ),
    rule(
      'guarded-http-knows-no-purpose',
      'Requests to hosts that a user named are made in one way, whatever they are for.',
      only('guarded-http', ['address-guard', 'settings']),
    ),
    rule(
      'pacing-knows-no-jobs',
      'Fair queues and waiting times do not depend on the work, so any library may use them.',
      only('pacing', []),
    ),
    rule(
      'events-know-no-domain',
      'All libraries record their events here, so this library depends on none of them.',
      only('events', ['entities', 'payloads', 'filters', 'database', 'telemetry']),
    ),
    rule(
      'filters-know-rows-only',
      'Events, searches and webhooks share one language of filters, which uses none of them.',
      only('filters', ['entities']),
    ),
    rule(
      'lists-know-tables-only',
      'Pagination does not depend on what the table holds.',
      only('lists', ['entities', 'database']),
    ),
    rule(
      'mail-knows-no-domain',
      'All emails are sent in the same way. The callers write their text.',
      only('mail', ['address-guard', 'database', 'entities', 'settings', 'telemetry']),
    ),
    rule('domain-libraries-stand-apart', 'The apps connect tickets, access and webhooks, so each can be read alone.', {
      from: { path: '^libs/(tickets|access|webhooks)/' },
      to: { path: '^libs/(tickets|access|webhooks|mailboxes)/', pathNot: '^libs/$1/' },
    }),
    rule(
      'delivery-knows-no-registration',
      'Webhooks ask the ledger to send; the ledger needs only the row of a webhook, not who registered it and how.',
      only('delivery', [
        'database',
        'entities',
        'events',
        'guarded-http',
        'redis',
        'secret-box',
        'settings',
        'telemetry',
      ]),
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
      'TypeORM repositories query all accounts. Use those of #libs/database, which require one.',
      {
        from: { path: '^(apps|libs)/', pathNot: '^libs/(database|entities)/' },
        to: { path: 'node_modules/typeorm/' },
      },
    ),
    rule('doctor-looks-only', 'The doctor checks an installation and changes nothing in it.', {
      from: { path: '^libs/doctor/' },
      to: { path: '^libs/', pathNot: '^libs/(delivery|doctor|database|secret-box|settings|storage)/' },
    }),
    rule(
      'storage-knows-bytes-only',
      'Storing bytes does not depend on who owns a file or may read it. Another store is one more class.',
      only('storage', ['settings']),
    ),
    rule(
      'files-belong-to-tickets-and-mail',
      'Two libraries store and serve files, and check access. Health and the doctor read the free space.',
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
    rule(
      'bucket-client-in-one-place',
      'Only one file depends on the client for buckets, so it can be replaced there.',
      {
        from: { path: '^(apps|libs)/', pathNot: '^libs/storage/src/bucket-store\\.ts$' },
        to: { path: 'node_modules/s3mini/' },
      },
    ),
    rule('queue-in-two-places', 'Only the worker and the queue contract use BullMQ, so the queue can be replaced.', {
      from: { path: '^(apps|libs)/', pathNot: ['^apps/worker/', '^libs/delivery/'] },
      to: { path: 'node_modules/(bullmq)/' },
    }),
    rule(
      'redis-knows-places-only',
      'Opening a connection does not depend on its commands.',
      only('redis', ['settings']),
    ),
    rule(
      'redis-in-one-place',
      'One library handles Sentinels, a Cluster, TLS and timeouts, where it opens connections.',
      {
        from: { path: '^(apps|libs)/', pathNot: ['^libs/redis/', '^apps/launcher/'] },
        to: { path: 'node_modules/(ioredis)/' },
      },
    ),
    ...layerRules,
    ...workerRules,
    rule(
      'api-nouns',
      'A noun is imported through its index.ts. Everything else in it is private and can change freely.',
      {
        from: { path: '^apps/api/src/([^/]+)/' },
        to: {
          path: '^apps/api/src/[^/]+/',
          pathNot: ['^apps/api/src/$1/', '^apps/api/src/layers/', '^apps/api/src/[^/]+/index\\.ts$'],
        },
      },
    ),
    rule('api-root', 'The files at the root assemble the program, so no folder imports them.', {
      from: { path: '^apps/api/src/[^/]+/' },
      to: { path: '^apps/api/src/[^/]+$' },
    }),
    rule('tests-stay-outside', 'Shipped code does not depend on tests or benchmarks.', {
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
