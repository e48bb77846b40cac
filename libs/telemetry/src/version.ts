import { createRequire } from 'node:module';

/** Of package.json, by its name there: it stands at different heights above the sources, what is built of them, and a bundle. */
export const VERSION: string = (createRequire(import.meta.url)('#package.json') as { version: string }).version;
