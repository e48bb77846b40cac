export { InvalidSettings } from './invalid-settings.js';
export { isBehindProxy, isExposed } from './exposure.js';
export { singleHostUrls } from './several-hosts.js';
export type { SealingKey } from './sealing-keys.js';
export { SECRETS, SETTINGS, type Settings, misspeltSettings, readSettings, withSecretFiles } from './settings.js';
export { SETTINGS_TOKEN, SettingsModule } from './settings.module.js';
export type { BucketLocation, FolderLocation, StorageLocation } from './storage-location.js';
