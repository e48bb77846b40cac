export { InvalidSettings, SETTINGS, type SealingKey, type Settings, readSettings } from './settings.js';
export { SETTINGS_TOKEN, SettingsModule } from './settings.module.js';
export type { BucketLocation, FolderLocation, StorageLocation } from './storage-location.js';
