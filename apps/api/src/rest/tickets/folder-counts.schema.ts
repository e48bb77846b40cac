import { FOLDER_IDS } from '#libs/desk';
import type { JsonSchema } from '#libs/payloads';

export const FOLDER_COUNTS: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(FOLDER_IDS.map((id) => [id, { type: 'integer', minimum: 0, maximum: 10_000 }])),
  required: FOLDER_IDS,
};
