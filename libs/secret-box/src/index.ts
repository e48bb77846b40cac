export { type SealedTable, SealedSecretsService, type SecretsKeyUsage } from './sealed-secrets.service.js';
export { Signatures } from './secret-box.js';
export { SealedPositions, type SealedValue, SecretBox } from './secret-box.js';
