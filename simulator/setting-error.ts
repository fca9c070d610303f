/** A setting with which the simulator can't start: which one, and what to do about it. */
export class SettingError extends Error {
  readonly setting:
    | 'host'
    | 'port'
    | 'dataFile'
    | 'controlToken'
    | 'publicUrl'
    | 'headerPrefix'
    | 'certificateCheck'
    | 'log';

  constructor(setting: SettingError['setting'], message: string) {
    super(message);
    this.setting = setting;
  }
}
