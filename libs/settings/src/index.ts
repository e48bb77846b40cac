export { isBehindProxy, isExposed, isLoopback } from './exposure.js';
export { misspeltSettings } from './misspelt-settings.js';
export { parseUrl } from './parse-url.js';
export { InvalidSettings, readSettings, withSecretFiles } from './read-settings.js';
export type { SealingKey } from './sealing-keys.js';
export { SECRETS, SETTINGS, type Settings } from './settings.js';
export { SETTINGS_TOKEN, SettingsModule } from './settings.module.js';
export type { BucketLocation, StorageLocation } from './storage-location.js';
export { singleHostUrls } from './value-rules.js';
