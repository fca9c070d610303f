/** Why a file gives no certificate. */
export type Pkcs12Fault =
  | 'not-pkcs12'
  | 'wrong-password'
  /** It is protected in a way that the simulator can't undo. */
  | 'unsupported'
  /** Opening it would take too long. */
  | 'too-many-iterations'
  /** It holds no private RSA key: NF-e signatures need one. */
  | 'no-key'
  /** It holds no certificate that belongs to its key. */
  | 'no-certificate';

/** Thrown while a file is opened, when it is known why that fails. */
export class Pkcs12Refusal extends Error {
  readonly fault: Pkcs12Fault;

  constructor(fault: Pkcs12Fault) {
    super(fault);
    this.name = 'Pkcs12Refusal';
    this.fault = fault;
  }
}
