export { isExposed } from './exposure.js';
export { singleHostUrls } from './several-hosts.js';
export type { SealingKey } from './sealing-keys.js';
export { InvalidSettings, SETTINGS, type Settings, readSettings } from './settings.js';
export { SETTINGS_TOKEN, SettingsModule } from './settings.module.js';
export type { BucketLocation, FolderLocation, StorageLocation } from './storage-location.js';
