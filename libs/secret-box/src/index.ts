export { SealedSecretsService, type SecretsKeyUsage } from './sealed-secrets.service.js';
export { sealedTable } from './sealed-table.statements.js';
export { Signatures } from './secret-box.js';
export { SealedPositions, type SealedValue, SecretBox } from './secret-box.js';
