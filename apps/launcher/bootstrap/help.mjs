const SERVERS = `It uses PostgreSQL and Redis from DATABASE_URL and REDIS_URL if those are set. Otherwise it starts its own on 127.0.0.1.`;

/** One line for each command, and the rest of its help. A command without `rest` prints its own help. */
const HELP = {
  start: {
    about: 'start the databases, the API and a worker',
    rest: `  npm start

It runs until Ctrl-C. Data stays in .data for the next start. ${SERVERS}

Environment: PORT (3000), HOST (127.0.0.1), DATA_DIR (.data), DATABASE_URL, REDIS_URL, PG_BIN (a directory with
initdb and postgres), REDIS_SERVER (a redis-server or valkey-server program).`,
  },
  dev: {
    about: 'start the API and a worker, and restart them when a file changes',
    rest: `  npm run dev

If \`npm start\` is running here, it joins it on another port, and its worker shares the load. Otherwise it starts its own
databases. ${SERVERS} Their logs go to the terminal. It runs until Ctrl-C.`,
  },
  test: {
    about: 'check formatting, lint, imports and types, then run the tests',
    rest: `  npm test                                   the checks and the tests of a few minutes
  npm test -- --all                          everything, as CI does
  npm test -- path/to/some.spec.ts           these tests alone; what follows -- goes to Vitest

The tests use new databases, which are removed at the end.`,
  },
  'run-ephemeral': {
    about: 'run a command on databases that are removed at the end',
    rest: `  node apps/launcher/bootstrap.mjs run-ephemeral -- npx vitest run path
                                             the tests alone, without the other checks
  run-ephemeral --no-redis -- …              with the queue in PostgreSQL
  run-ephemeral --durable -- …               with every commit on disk, for measurements`,
  },
  build: { about: 'compile into dist', rest: '  npm run build' },
  lint: { about: 'check lint, types and import rules', rest: '  npm run lint' },
  format: { about: 'format every file', rest: '  npm run format' },
  docs: {
    about: 'update what documents list from the code, and the examples of the API reference',
    rest: `  npm run docs                    the generated parts; \`npm test\` fails while a document has others
  npm run docs -- screenshots     the images in docs/images, from a desk with sample data`,
  },
  sbom: {
    about: 'write the software bill of materials',
    rest: `  npm run sbom

It lists every package that runs in production, with version, hash and licence, in dist/sbom.cdx.json (CycloneDX).`,
  },
  cli: { about: 'run a command for operators' },
  doctor: {
    about: 'check an installation and its settings',
    rest: `  npm run doctor                 a line for each check; exit code 1 if one is red
  npm run doctor -- --json

With DATABASE_URL set, it checks the installation of the environment. Otherwise it checks the one of \`npm start\`, and
starts its databases if they are not running.`,
  },
  demo: { about: 'fill the account of a fresh installation with three months of sample data' },
  worker: {
    about: 'start one more worker',
    rest: `  npm run worker

If \`npm start\` is running here, the worker joins it and shares its load. Otherwise it starts its own databases. ${SERVERS}`,
  },
  receiver: { about: 'print incoming webhooks' },
  listen: { about: 'forward events to a server on this machine' },
  faults: { about: 'inject random faults and count what is lost' },
  fuzz: { about: 'send malformed requests and check every response' },
  schemathesis: { about: 'run the checks of schemathesis against the API' },
  mutation: { about: 'mutate the code and count the changes that no test detects' },
  bench: { about: 'measure deliveries, HTTP and the console' },
};

/** Returns whether there is help to print. */
export function printHelp(name) {
  const { about, rest } = HELP[name];
  if (rest) console.log(`${about[0].toUpperCase()}${about.slice(1)}.\n\n${rest}`);
  return rest !== undefined;
}

export function printOverview(exitCode) {
  const rows = Object.entries(HELP).map(([name, { about }]) => `  ${name.padEnd(15)}${about}`);
  console.log(`Deskwire. Usage: node apps/launcher/bootstrap.mjs <command> [arguments]

${rows.join('\n')}

Every command installs what is missing and builds what has changed. Each has --help.`);
  return exitCode;
}
