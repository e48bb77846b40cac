export { type SealedTable, SealedSecretsService, type SecretsKeyUsage } from './sealed-secrets.service.js';
export { Signatures } from './signatures.js';
export { SealedPositions, type SealedValue, SecretBox } from './secret-box.js';
