import { SERVED_TYPES } from '#libs/entities';

const parameter = (name: string, place: string, description: string) => ({
  name,
  in: place,
  required: true,
  description,
  schema: { type: 'string' },
});

const problemResponse = (status: number) => ({ [status]: { $ref: `#/components/responses/${status}` } });

/** The address alone opens it, so it is not under `/v1`, where everything needs a token. */
export const DOWNLOAD_PATHS = {
  '/downloads/{id}': {
    get: {
      operationId: 'downloads-read',
      summary: 'Download a file, by the address that its attachment gives',
      tags: ['attachments'],
      security: [],
      parameters: [parameter('id', 'path', 'Of the attachment.'), parameter('pass', 'query', 'Part of the address.')],
      responses: {
        200: {
          description: 'The bytes.',
          content: Object.fromEntries(
            SERVED_TYPES.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
          ),
        },
        ...problemResponse(403),
        ...problemResponse(404),
        ...problemResponse(503),
      },
    },
  },
};
