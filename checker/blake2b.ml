(* BLAKE2b (RFC 7693) with digests of 16 bytes, of integers that are written as 8 bytes each, the lowest byte first. *)
external get : Bytes.t -> int -> int64 = "%caml_bytes_get64"
external set : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64"

let begin_ =
  [| 0x6a09e667f3bcc908L; 0xbb67ae8584caa73bL; 0x3c6ef372fe94f82bL; 0xa54ff53a5f1d36f1L;
     0x510e527fade682d1L; 0x9b05688c2b3e6c1fL; 0x1f83d9abfb41bd6bL; 0x5be0cd19137e2179L |]

(* which words of a block are taken one after another, in each round; as the places of their first bytes *)
let orders =
  let rows =
    [| "0123456789abcdef"; "ea489fd61c02b753"; "b8c052fdae367194"; "7931dcbe265a40f8"; "905724afe1bc683d";
       "2c6a0b834d75fe19"; "c51fed4a0763928b"; "db7ec13950f4862a"; "6fe9b308c2d714a5"; "a2847615fb9e3cd0" |]
  in
  Array.init 12 (fun round -> Array.init 16 (fun i -> 8 * int_of_string (Printf.sprintf "0x%c" rows.(round mod 10).[i])))

let[@inline] rotated x k = Int64.(logor (shift_right_logical x k) (shift_left x (64 - k)))

let mix v m a b c d x y =
  let open Int64 in
  let va = add (add (get v a) (get v b)) (get m x) in
  let vd = rotated (logxor (get v d) va) 32 in
  let vc = add (get v c) vd in
  let vb = rotated (logxor (get v b) vc) 24 in
  let va = add (add va vb) (get m y) in
  let vd = rotated (logxor vd va) 16 in
  let vc = add vc vd in
  let vb = rotated (logxor vb vc) 63 in
  set v a va;
  set v b vb;
  set v c vc;
  set v d vd

(* the digest, as 16 bytes *)
let digest numbers =
  let length = 8 * Array.length numbers in
  let num_blocks = max 1 ((length + 127) / 128) in
  let h = Bytes.create 64 and v = Bytes.create 128 and m = Bytes.create 128 in
  Array.iteri (fun i x -> set h (8 * i) x) begin_;
  set h 0 (Int64.logxor (get h 0) 0x01010010L);
  for block = 0 to num_blocks - 1 do
    for i = 0 to 15 do
      let k = (16 * block) + i in
      set m (8 * i) (Int64.of_int (if k < Array.length numbers then numbers.(k) else 0))
    done;
    Bytes.blit h 0 v 0 64;
    Array.iteri (fun i x -> set v (64 + (8 * i)) x) begin_;
    let is_last = block = num_blocks - 1 in
    set v 96 (Int64.logxor (get v 96) (Int64.of_int (if is_last then length else 128 * (block + 1))));
    if is_last then set v 112 (Int64.lognot (get v 112));
    for round = 0 to 11 do
      let o = orders.(round) in
      mix v m 0 32 64 96 o.(0) o.(1);
      mix v m 8 40 72 104 o.(2) o.(3);
      mix v m 16 48 80 112 o.(4) o.(5);
      mix v m 24 56 88 120 o.(6) o.(7);
      mix v m 0 40 80 120 o.(8) o.(9);
      mix v m 8 48 88 96 o.(10) o.(11);
      mix v m 16 56 64 104 o.(12) o.(13);
      mix v m 24 32 72 112 o.(14) o.(15)
    done;
    for i = 0 to 7 do
      set h (8 * i) (Int64.logxor (get h (8 * i)) (Int64.logxor (get v (8 * i)) (get v (64 + (8 * i)))))
    done
  done;
  Bytes.sub_string h 0 16
