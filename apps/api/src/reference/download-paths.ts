import { SERVED_TYPES } from '#libs/entities';
import { problemRefs } from './problem-responses.js';

const parameter = (name: string, place: string, description: string, required = true) => ({
  name,
  in: place,
  required,
  description,
  schema: { type: 'string' },
});

const header = (description: string) => ({ description, schema: { type: 'string' } });

const bytes = (description: string, headers: Readonly<Record<string, object>>) => ({
  description,
  headers: { ETag: { $ref: '#/components/headers/ETag' }, 'Accept-Ranges': header('Always `bytes`.'), ...headers },
  content: Object.fromEntries(SERVED_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }])),
});

/** The address alone opens it, so it is not under `/v1`, where everything needs a token. */
export const DOWNLOAD_PATHS = {
  '/downloads/{id}': {
    get: {
      operationId: 'downloads-read',
      'x-example-path': '/downloads/0199f3aa-5c20-7000-8000-000000000020?pass=Zm9yIHlvdQ',
      summary: 'Download a file, by the address that its attachment gives',
      tags: ['attachments'],
      security: [],
      parameters: [
        parameter('id', 'path', 'Of the attachment.'),
        parameter('pass', 'query', 'Part of the address.'),
        parameter('Range', 'header', 'Only these bytes, such as `bytes=1000-`. One range.', false),
        parameter('If-Range', 'header', 'The range only if the file still has this ETag; else all of it.', false),
        parameter('If-None-Match', 'header', 'Answers 304 if the file has this ETag.', false),
      ],
      responses: {
        200: bytes('All bytes.', {}),
        206: bytes('The bytes of the range.', { 'Content-Range': header('Which, and of how many.') }),
        304: { description: 'Unchanged since it was read with this ETag.' },
        ...problemRefs(400, 403, 404, 405, 414, 416, 431, 503),
      },
    },
  },
};
