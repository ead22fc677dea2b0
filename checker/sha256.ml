(* SHA-256 (FIPS 180-4) of a text, in hexadecimal. *)
let mask = 0xffffffff
let rotate x k = ((x lsr k) lor (x lsl (32 - k))) land mask

(* the first 32 bits of the fractional parts of the roots of the first primes *)
let primes =
  let is_prime k = List.for_all (fun d -> d * d > k || k mod d <> 0) (List.init 18 (fun i -> i + 2)) in
  List.filteri (fun i _ -> i < 64) (List.filter is_prime (List.init 400 (fun i -> i + 2)))

let fraction x = int_of_float (Float.rem x 1.0 *. 4294967296.0)
let constants = Array.of_list (List.map (fun p -> fraction (Float.cbrt (float p))) primes)
let begin_ = Array.of_list (List.map (fun p -> fraction (sqrt (float p))) (List.filteri (fun i _ -> i < 8) primes))

let hex text =
  let length = String.length text in
  let padded =
    let zeros = (119 - (length mod 64)) mod 64 in
    let size = String.init 8 (fun i -> Char.chr (((length * 8) lsr (8 * (7 - i))) land 255)) in
    text ^ "\x80" ^ String.make zeros '\000' ^ size
  in
  let h = Array.copy begin_ and w = Array.make 64 0 in
  for block = 0 to (String.length padded / 64) - 1 do
    for i = 0 to 15 do
      w.(i) <- Int32.to_int (String.get_int32_be padded ((block * 64) + (4 * i))) land mask
    done;
    for i = 16 to 63 do
      let a = w.(i - 15) and b = w.(i - 2) in
      let s0 = rotate a 7 lxor rotate a 18 lxor (a lsr 3) and s1 = rotate b 17 lxor rotate b 19 lxor (b lsr 10) in
      w.(i) <- (w.(i - 16) + s0 + w.(i - 7) + s1) land mask
    done;
    let v = Array.copy h in
    for i = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25 in
      let choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
      let t1 = v.(7) + s1 + choice + constants.(i) + w.(i) in
      let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22 in
      let majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      Array.blit v 0 v 1 7;
      v.(4) <- (v.(4) + t1) land mask;
      v.(0) <- (t1 + s0 + majority) land mask
    done;
    Array.iteri (fun i x -> h.(i) <- (h.(i) + x) land mask) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))
