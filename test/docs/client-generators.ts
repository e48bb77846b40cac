import type { Library } from '../oauth/support/libraries.js';

/** A generator of clients that generators.spec.ts installs, with the command that readers of docs/api.md run. */
export interface ClientGenerator {
  readonly name: string;
  readonly version: string;
  readonly language: Exclude<Library['language'], 'browser'>;
  readonly command: string;
  /** The Go module of its command. */
  readonly module?: string;
}

export const CLIENT_GENERATORS = {
  'openapi-typescript': {
    name: 'openapi-typescript',
    version: '7.13.0',
    language: 'node',
    command: 'openapi-typescript openapi.json -o made.ts',
  },
  '@hey-api/openapi-ts': {
    name: '@hey-api/openapi-ts',
    version: '0.99.0',
    language: 'node',
    command: 'openapi-ts -i openapi.json -o made -p @hey-api/typescript @hey-api/sdk @hey-api/client-fetch',
  },
  orval: {
    name: 'orval',
    version: '8.38.0',
    language: 'node',
    command: 'orval --input openapi.json --output made/api.ts --client fetch',
  },
  'openapi-python-client': {
    name: 'openapi-python-client',
    version: '0.29.1',
    language: 'python',
    command: 'openapi-python-client generate --path openapi.json',
  },
  'oapi-codegen': {
    name: 'oapi-codegen',
    version: '2.8.2',
    language: 'go',
    module: 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen',
    command: 'oapi-codegen -generate types,client -package deskwire -o deskwire/client.go openapi.json',
  },
  ogen: {
    name: 'ogen',
    version: '1.25.0',
    language: 'go',
    module: 'github.com/ogen-go/ogen/cmd/ogen',
    command: 'ogen --target deskwire --package deskwire openapi.json',
  },
} as const satisfies Record<string, ClientGenerator>;
