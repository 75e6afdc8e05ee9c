// Reads bytes from the front, for binary forms of the public log.

/** Every call throws a RangeError where the bytes end too early. What it returns are views of the same memory. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(count: number): Uint8Array {
    if (count > this.left) throw new RangeError(`${count} bytes are needed where ${this.left} are left`)
    this.#at += count
    return this.#bytes.subarray(this.#at - count, this.#at)
  }

  u16(): number {
    return this.#integer(2)
  }

  u32(): number {
    return this.#integer(4)
  }

  end(): void {
    if (this.left > 0) throw new RangeError(`${this.left} bytes are left over`)
  }

  #integer(size: number): number {
    return this.take(size).reduce((value, byte) => value * 256 + byte, 0)
  }
}
