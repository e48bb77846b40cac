export { SealedSecretsService, type SecretsKeyUsage } from './sealed-secrets.service.js';
export { sealedTable } from './sealed-table.statements.js';
export { SealedPositions, SealedTexts, type SealedValue, SecretBox, Signatures } from './secret-box.js';
