/** The import rules of the house. Each tells its reason, because a rule without one is the first to be broken. */
const only = (from, to) => ({
  from: { path: `^libs/${from}/` },
  to: { path: '^libs/', pathNot: [`^libs/${from}/`, ...to.map((name) => `^libs/${name}/`)] },
});

const rule = (name, comment, edges) => ({ name, comment, severity: 'error', ...edges });

/**
 * The rooms of the worker: each with the rooms that it may import, all of them earlier in this list, so that there is no
 * circle between rooms. What lies beside the rooms, such as loop.ts, is open to all.
 */
const WORKER_ROOMS = [
  { room: 'telemetry', knows: [], reason: 'Every room reports to it, so it can know none.' },
  {
    room: 'sender',
    knows: [],
    reason: 'One POST that is safe against hostile receivers can be read, tested and replaced alone.',
  },
  {
    room: 'fairness',
    knows: ['telemetry'],
    reason: 'Who goes when is decided without knowing what is sent, or through which queue.',
  },
  {
    room: 'queue',
    knows: ['fairness', 'telemetry'],
    reason: 'It moves ids of deliveries, and does not know what an attempt is.',
  },
  {
    room: 'relay',
    knows: ['fairness', 'queue', 'telemetry'],
    reason: 'Events become queued deliveries, whatever an attempt does with them.',
  },
  {
    room: 'replays',
    knows: ['fairness', 'telemetry'],
    reason: 'A replay makes deliveries due in PostgreSQL; the feeder does the rest.',
  },
  {
    room: 'mail',
    knows: ['fairness', 'telemetry'],
    reason: 'A mail is sent from what PostgreSQL holds, whoever wrote it there.',
  },
  {
    room: 'arrivals',
    knows: ['telemetry'],
    reason: 'A mail is understood from what PostgreSQL and the file store hold, whichever way it came.',
  },
  {
    room: 'imap',
    knows: ['fairness', 'telemetry'],
    reason: 'It leaves mail where the other ways leave theirs, in PostgreSQL and the file store.',
  },
  {
    room: 'upkeep',
    knows: ['mail', 'telemetry'],
    reason: 'It works in PostgreSQL alone, and must go on when the queue is away.',
  },
  {
    room: 'health',
    knows: ['fairness', 'queue', 'telemetry'],
    reason: 'It looks at the worker from outside, and only tells it how many workers there are.',
  },
  {
    room: 'attempts',
    knows: ['fairness', 'queue', 'sender', 'telemetry', 'upkeep'],
    reason: 'The end of the flow: no other room calls it.',
  },
];

const roomRules = WORKER_ROOMS.map(({ room, knows, reason }) =>
  rule(`worker-${room}`, reason, {
    from: { path: `^apps/worker/src/${room}/` },
    to: {
      path: '^apps/worker/src/[^/]+/',
      pathNot: [`^apps/worker/src/${room}/`, ...knows.map((name) => `^apps/worker/src/${name}/`)],
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
      only('database', ['entities', 'folder-imports', 'settings']),
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
    rule('queues-know-no-jobs', 'Who goes next is decided without knowing what for.', only('fair-queue', [])),
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
    rule('mime-knows-bytes-only', 'A mail reads the same whatever is done with it.', only('mime', [])),
    rule(
      'domain-libraries-stand-apart',
      'desk, access and webhooks meet in the apps, not in each other: each can be read alone.',
      {
        from: { path: '^libs/(desk|access|webhooks)/' },
        to: {
          path: '^libs/',
          pathNot: [
            '^libs/$1/',
            '^libs/(entities|payloads|database|events|lists|fair-queue|mail|mime|redis|secret-box|settings|storage|telemetry)/',
          ],
        },
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
      to: { path: '^libs/', pathNot: '^libs/(doctor|database|disk-space|secret-box|settings|webhooks)/' },
    }),
    rule(
      'disks-know-no-files',
      'How much room a disk has is one thing, what is stored there another.',
      only('disk-space', ['settings']),
    ),
    rule(
      'storage-knows-bytes-only',
      'Where files are kept is one thing, whose they are and who may have them another: a third place to keep them is one more class.',
      only('storage', ['disk-space', 'settings']),
    ),
    rule(
      'files-are-the-desks',
      'Only the desk has files; what else reached into the store would get around its rules.',
      {
        from: { path: '^(apps|libs)/', pathNot: ['^libs/(desk|storage)/'] },
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
        from: { path: '^(apps|libs)/', pathNot: ['^apps/worker/', '^libs/webhooks/'] },
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
    ...roomRules,
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
